// The recorded facts, and each entry of the timeline with what its action or check came to.

const page = JSON.parse(document.getElementById("data").textContent);
const trace = page.trace;
const actions = new Map(trace.events.filter((event) => event.result).map((event) => [event.id, event.result]));

const STATES = {
  verified: { mark: "✓", words: "verified", kind: "good" },
  passed: { mark: "✓", words: "passed", kind: "good" },
  recovered: { mark: "↻", words: "recovered", kind: "warn" },
  vacuous: { mark: "≈", words: "was true before the action too", kind: "warn" },
  pending: { mark: "•", words: "done, not verified", kind: "quiet" },
  waited: { mark: "…", words: "waited until it was so", kind: "quiet" },
  late: { mark: "✕", words: "waited in vain", kind: "bad" },
  interrupted: { mark: "!", words: "interrupted: whether it would have been so is not known", kind: "bad" },
  unread: { mark: "!", words: "the screen could not be read", kind: "bad" },
  failed: { mark: "✕", words: "failed", kind: "bad" },
  error: { mark: "!", words: "could not be checked", kind: "bad" },
  "not compared": { mark: "?", words: "not compared", kind: "bad" },
  uncompared: { mark: "?", words: "not compared", kind: "warn" },
};

const steps = trace.events.map((event, index) => {
  const { check, result: action } = event;
  return {
    event,
    index,
    check,
    action,
    id: event.id,
    state: check ? checkState(check, event) : event.kind === "wait" ? waitState(event) : actionState(action),
    stages: ((check ? check.trace : action && action.trace) || { steps: [] }).steps,
    owner: check ? actions.get(check.action_id) || null : null,
  };
});

const stepsById = new Map(steps.map((step) => [step.id, step]));

function actionState(action) {
  if (!action) return "pending";
  if (action.lifecycle_state === "failed" || !action.success) return "failed";
  if (action.recovery && action.recovery.recovery_attempts > 0) return "recovered";
  return action.lifecycle_state === "verified" ? "verified" : "pending";
}

function waitState(event) {
  const result = event.details && event.details.result;
  if (result === "unreadable") return "unread";
  if (result === "interrupted") return "interrupted";
  return event.error || result === "timed out" ? "late" : "waited";
}

function checkState(check, event) {
  if (check.result === "not compared" && !event.error) return "uncompared";
  if (check.result !== "passed") return check.result;
  if (check.recovery && check.recovery.recovery_attempts > 0) return "recovered";
  return check.vacuous ? "vacuous" : "passed";
}

// Screens that look alike are carried once.
function outlineOf(id) {
  return id in page.outlines ? page.texts[page.outlines[id]] : undefined;
}

function marksOf(id) {
  return id in page.marks ? page.elements[page.marks[id]] : [];
}

function isProblem(step) {
  return STATES[step.state].kind === "bad";
}

function firstProblem() {
  return steps.find(isProblem) || null;
}

function screenName(id) {
  const snapshot = id ? trace.snapshots[id] : null;
  return snapshot ? snapshot.screen : "";
}

function checksOf(action) {
  return steps.filter((step) => step.owner === action);
}
