import type { BodyChanges, OwnedFields, RequestHead } from '../../canonical/index.ts'
import { streamChanges } from '../../openai-wire/stream.ts'
import { withoutForeignSignatures } from '../foreign-signatures.ts'
import { withSystemPrompt } from './system-prompt.ts'

/** Only what we own is changed, all else is sent as it was written. */
export function ownedChanges({ tree }: Pick<RequestHead, 'tree'>, owned: OwnedFields): BodyChanges {
  const changes = streamChanges(tree, owned)
  if (tree.model !== owned.model) changes.model = owned.model
  const messages = tree.messages as unknown[]
  const cleaned = withoutForeignSignatures(messages)
  const instructed = owned.systemPrompt ? withSystemPrompt(cleaned, owned.systemPrompt) : cleaned
  if (instructed !== messages) changes.messages = instructed
  return changes
}
