import { callChat, type PlannedCall } from './send-chat.ts'

/** One of several client processes: makes all calls it is sent at once, and sends back what it saw. */
process.once('message', (calls: PlannedCall[]) => {
  void Promise.all(calls.map(callChat)).then((seen) => process.send!(seen, () => process.disconnect()))
})
