import { parseArgs } from 'node:util'
import { fakeUpstream } from './fake-upstream.ts'

/** Runs the fake upstream for development: any key works, with the speed of a fast model. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    'first-event-ms': { type: 'string', default: '300' },
    'between-events-ms': { type: 'string', default: '30' },
    /** Does not record requests, for long runs under load. */
    forget: { type: 'boolean', default: false },
  },
})

const upstream = await fakeUpstream({ port: Number(values.port), remember: !values.forget })
upstream.always({
  firstEventAfterMs: Number(values['first-event-ms']),
  betweenEventsMs: Number(values['between-events-ms']),
})
console.log(`fake upstream at ${upstream.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void upstream.close())
}
