import { parentPort } from 'node:worker_threads'
import { type CountResult, type CountRequest, countWithVocabulary } from './count-tokens.ts'

parentPort?.on('message', ({ id, model, texts }: CountRequest) => {
  countWithVocabulary(model, texts).then(
    (tokens) => respond({ id, tokens }),
    (error: unknown) => respond({ id, error }),
  )
})

function respond(message: CountResult): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}
