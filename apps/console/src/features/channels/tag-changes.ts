import type { BodyInput, Channel, updateChannelTag } from '@tidegate/contract/api'
import { splitNames, withoutPrototypeKeys } from './channel-text.ts'

export interface TagValues {
  new_tag: string
  groups: string[]
  models: string[]
  model_mapping: string
}

/** Values that all channels of a tag share; blank where they differ. */
export function sharedValues(tag: string, channels: readonly Channel[]): TagValues {
  return {
    new_tag: tag,
    groups: splitNames(shared(channels.map(({ group }) => group))),
    models: splitNames(shared(channels.map(({ models }) => models))),
    model_mapping: shared(channels.map((channel) => channel.model_mapping)),
  }
}

/** The request body, or null if nothing changed. The server ignores empty lists and mappings. */
export function tagChanges(
  tag: string,
  before: TagValues,
  after: TagValues,
): BodyInput<typeof updateChannelTag> | null {
  const newTag = after.new_tag.trim()
  const mapping = withoutPrototypeKeys(after.model_mapping)
  const changes = {
    ...(newTag !== tag && { new_tag: newTag }),
    ...(isChanged(before.groups, after.groups) && { groups: after.groups.join(',') }),
    ...(isChanged(before.models, after.models) && { models: after.models.join(',') }),
    ...(mapping !== '' && mapping !== before.model_mapping.trim() && { model_mapping: mapping }),
  }
  return Object.keys(changes).length === 0 ? null : { tag, ...changes }
}

function isChanged(before: readonly string[], after: readonly string[]): boolean {
  return after.length > 0 && after.join(',') !== before.join(',')
}

function shared(texts: readonly string[]): string {
  return texts.every((text) => text === texts[0]) ? (texts[0] ?? '') : ''
}
