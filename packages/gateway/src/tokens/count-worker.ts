import { parentPort } from 'node:worker_threads'
import { type CountAnswer, type CountOrder, countWithVocabulary } from './count-tokens.ts'

parentPort?.on('message', ({ id, model, texts }: CountOrder) => {
  countWithVocabulary(model, texts).then(
    (tokens) => answer({ id, tokens }),
    (error: unknown) => answer({ id, error }),
  )
})

function answer(message: CountAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}
