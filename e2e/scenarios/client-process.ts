import { sendChat, type ChatRequest } from './send-chat.ts'

/** One of several client processes: sends all requests it gets concurrently and returns the results. */
process.once('message', (requests: ChatRequest[]) => {
  void Promise.all(requests.map(sendChat)).then((result) => process.send!(result, () => process.disconnect()))
})
