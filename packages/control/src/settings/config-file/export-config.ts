import { api, defaultOptionText, OPTION_KEYS, optionDefinition, type Settings } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import { Document, isMap, isScalar, isSeq } from 'yaml'
import type { StoredChannel } from '../../channels/channel.ts'
import { joinKeys, tryOpenKeys } from '../../channels/keys/stored-keys.ts'
import type { Deps } from '../../deps.ts'
import { CHANNEL_FIELDS, columnToFile, optionToFile } from './field-values.ts'
import { isSameText } from './plan-options.ts'
import { FILE_VERSION, MAPPING_KEY } from './read-file.ts'
import { type EncryptSecret, CHANNEL_KEYS_CONTEXT, optionContext, createSecretEncryptor } from './secrets.ts'
import { readSite } from './plan-config.ts'

type WriteDeps = Pick<Deps, 'db' | 'vault'>

/** The site as a YAML file, deterministic. Secrets are included only if encrypted with a passphrase. */
export async function exportConfig(deps: WriteDeps, passphrase?: string): Promise<string> {
  const encrypt = passphrase === undefined ? undefined : await createSecretEncryptor(passphrase)
  const { settings, channels } = await readSite(deps)
  const { mapping } = settings[MAPPING_KEY]
  const sorted = channels.toSorted((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id,
  )
  const written = sorted.map((channel) => channelIn(channel, deps, encrypt))
  const content = {
    tidegate: FILE_VERSION,
    options: optionsIn(settings, encrypt),
    ...(Object.keys(mapping).length > 0 && { models: { ...mapping } }),
    ...(channels.length > 0 && { channels: written }),
  }
  const document = new Document(content, { aliasDuplicateObjects: false })
  const unreadable = encrypt ? written.filter((channel) => !('keys' in channel)).map(({ name }) => String(name)) : []
  document.commentBefore = headerComment(sorted, { hasSecrets: encrypt !== undefined, unreadable })
  commentTypes(document)
  return document.toString({ lineWidth: 0 })
}

function optionsIn(settings: Settings, encrypt: EncryptSecret | undefined): Record<string, unknown> {
  const entries = OPTION_KEYS.filter((key) => key !== MAPPING_KEY).flatMap((key) => {
    const { kind, secret, format } = optionDefinition(key)
    const text = format(settings[key])
    if (isSameText(text, defaultOptionText(key))) return []
    if (!secret) return [[key, optionToFile(kind, text)]]
    return encrypt ? [[key, encrypt(optionContext(key), text)]] : []
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

function channelIn(
  channel: StoredChannel,
  { vault }: WriteDeps,
  encrypt: EncryptSecret | undefined,
): Record<string, unknown> {
  const fields = CHANNEL_FIELDS.map((field) => [field.name, columnToFile(field, channel)] as const)
  return {
    name: channel.name,
    ...(channel.status === api.CHANNEL_STATUS.disabled && { status: 'disabled' }),
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    ...encryptedKeys(channel, vault, encrypt),
  }
}

/** Keys encrypted with another root key are left out. */
function encryptedKeys(channel: StoredChannel, vault: Vault, encrypt: EncryptSecret | undefined): { keys?: string } {
  const keys = encrypt && tryOpenKeys(vault, channel)
  return keys ? { keys: encrypt(CHANNEL_KEYS_CONTEXT, joinKeys(keys)) } : {}
}

function headerComment(
  channels: readonly StoredChannel[],
  { hasSecrets, unreadable }: { hasSecrets: boolean; unreadable: readonly string[] },
): string {
  const names = channels.map(({ name }) => name.trim())
  const twins = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  return [
    ' What differs from the defaults, virtual models and channels.',
    hasSecrets ? ' Secrets and keys are sealed with a passphrase.' : ' Secrets and keys are left out.',
    ...unreadable.map((name) => ` The keys of channel ${JSON.stringify(name)} do not open and are left out.`),
    ...twins.map(
      (name) => ` More than one channel is named ${JSON.stringify(name)}: rename them before applying this file.`,
    ),
  ].join('\n')
}

/** Adds the provider name next to the type number. */
function commentTypes(document: Document): void {
  const channels = document.get('channels')
  if (!isSeq(channels)) return
  for (const channel of channels.items) {
    const type = isMap(channel) ? channel.get('type', true) : undefined
    if (isScalar(type)) type.comment = ` ${api.channelTypeOf(Number(type.value))?.name ?? 'unknown'}`
  }
}
