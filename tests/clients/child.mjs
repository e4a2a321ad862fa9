// Runs in a client's own environment: reads calls as lines of JSON, and answers each with a line.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'

const AsyncFunction = (async () => {}).constructor
const from = createRequire(process.cwd() + '/')
globalThis.require = from
globalThis.load = (name) => import('file://' + from.resolve(name))
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr) // whatever a client prints
const parent = process.ppid
setInterval(() => process.ppid === parent || process.kill(0, 'SIGKILL'), 200).unref() // it was killed
process.on('unhandledRejection', () => {})
for await (const line of createInterface({ input: process.stdin })) {
  let said
  try {
    const code = JSON.parse(line)
    let call
    try {
      call = new AsyncFunction('return (' + code + '\n)')
    } catch {
      call = new AsyncFunction(code)
    }
    const value = await call()
    said = { value: (typeof value === 'string' ? value : inspect(value)).slice(0, 100000) }
  } catch (error) {
    said = { error: String(error) }
  }
  write(JSON.stringify(said) + '\n')
}
process.exit()
