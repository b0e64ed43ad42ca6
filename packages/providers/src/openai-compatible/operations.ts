import { endpoint } from '../endpoint.ts'
import type { Operation, OperationId, Operations } from '../operation.ts'

const PATHS: Readonly<Record<OperationId, string>> = {
  embeddings: '/embeddings',
  moderations: '/moderations',
  rerank: '/rerank',
  'image-generation': '/images/generations',
  'image-edit': '/images/edits',
  'image-variation': '/images/variations',
  speech: '/audio/speech',
  transcription: '/audio/transcriptions',
  translation: '/audio/translations',
  realtime: '/realtime',
}

/** Few vendors took over the spoken call. */
const USUAL = (Object.keys(PATHS) as OperationId[]).filter((id) => id !== 'realtime')

/** Where vendors that took over OpenAI's calls keep them, beside their chat call. */
export function openaiOperations(
  home: string,
  { version = '/v1', only = USUAL }: { version?: string; only?: readonly OperationId[] } = {},
): Operations {
  const operation = (id: OperationId): Operation => ({
    url: ({ baseUrl }) => endpoint(baseUrl || home, version + PATHS[id]),
  })
  return Object.fromEntries(only.map((id) => [id, operation(id)]))
}
