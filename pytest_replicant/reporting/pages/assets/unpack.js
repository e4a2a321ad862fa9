// A packed page: unpacks the style and the script, whose hashes the policy names, and the data.
(async () => {
  const element = document.getElementById("data");
  const unpacked = (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  const { parts, data } = JSON.parse(element.textContent);
  const [style, script] = JSON.parse(await unpacked(parts));
  element.textContent = await unpacked(data);
  for (const [tag, text] of Object.entries({ style, script })) {
    document.body.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
})().catch((error) => document.body.prepend(`This browser cannot unpack the page (${error}). The same facts, as data: trace.json, next to it.`));
