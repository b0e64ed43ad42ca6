import { sendChat, type ChatRequest } from './send-chat.ts'

/** One of several client processes: makes all calls it is sent at once, and sends back what it saw. */
process.once('message', (requests: ChatRequest[]) => {
  void Promise.all(requests.map(sendChat)).then((result) => process.send!(result, () => process.disconnect()))
})
