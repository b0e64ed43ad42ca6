import { parentPort } from 'node:worker_threads'
import { type CountResult, type CountRequest, countWithVocabulary } from './vocabulary.ts'

parentPort?.on('message', ({ id, vocabulary, texts }: CountRequest) => {
  countWithVocabulary(vocabulary, texts).then(
    (tokens) => respond({ id, tokens }),
    (error: unknown) => respond({ id, error }),
  )
})

function respond(message: CountResult): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}
