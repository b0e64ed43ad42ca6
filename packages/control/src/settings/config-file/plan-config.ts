import { type api, optionDefinition, type LocalizedText, type Settings } from '@tidegate/contract'
import { channels, type Db, loadSettings, readCatalogVersion, type Vault } from '@tidegate/storage'
import type { StoredChannel } from '../../channels/channel.ts'
import type { Deps } from '../../deps.ts'
import { type ChannelStep, planChannel } from './plan-channels.ts'
import { planOptions } from './plan-options.ts'
import { Problems } from './problems.ts'
import { type ConfigFile, readFile } from './read-file.ts'
import { readSecrets, type SecretSources } from './secrets.ts'
import { validateFile, type DesiredConfig, type DesiredOption } from './validate-file.ts'

export interface ConfigFileInput extends SecretSources {
  readonly yaml: string
  /** Also removes channels that the file does not contain. */
  readonly prune?: boolean
}

/** A parsed file with the problems found so far. */
interface ValidatedFile {
  readonly desired: DesiredConfig
  readonly prune: boolean
  readonly problems: Problems
}

export interface ConfigWork {
  readonly plan: api.ConfigPlan
  readonly options: readonly DesiredOption[]
  readonly channels: readonly ChannelStep[]
  readonly removed: readonly StoredChannel[]
}

export async function planConfig(deps: Pick<Deps, 'db' | 'vault'>, input: ConfigFileInput): Promise<api.ConfigPlan> {
  const read = await readInput(input)
  return planWork(read, await readSite(deps), deps.vault).plan
}

/** Derives keys from the passphrase, which is slow; nothing is locked meanwhile. */
export async function readInput({ yaml, prune = false, ...sources }: ConfigFileInput): Promise<ValidatedFile> {
  const problems = new Problems()
  const file = readFile(yaml, problems)
  if (prune && !file.channels) problems.add(1, 'channels', NOTHING_TO_PRUNE_BY)
  return { desired: await validateFile(file, readSecrets(sources, problems), problems), prune, problems }
}

/** Whether a file contains secrets or keys. */
export function holdsSecrets(yaml: string): boolean {
  const { options, channels = [] }: ConfigFile = readFile(yaml, new Problems())
  return options.some(({ key }) => optionDefinition(key).secret) || channels.some(({ fields }) => fields.has('keys'))
}

/** Plans the changes that the file requires. Throws with all problems if there are any. */
export function planWork(
  { desired, prune, problems: before }: ValidatedFile,
  site: SiteState,
  vault: Vault,
): ConfigWork {
  const problems = before.copy()
  const options = planOptions(desired.options, site.settings, problems)
  const byName = Map.groupBy(site.channels, ({ name }) => name.trim())
  const around = { settings: options.settings, channels: byName, vault }
  const channels = (desired.channels ?? []).flatMap((channel) => planChannel(channel, around, problems) ?? [])
  const named = new Set(desired.channels?.map(({ name }) => name))
  const removed = prune ? site.channels.filter(({ name }) => !named.has(name.trim())) : []
  problems.throwIfAny()
  return {
    plan: {
      version: site.version,
      items: [
        ...options.items,
        ...channels.map(({ item }) => item),
        ...removed.map(({ name }) => ({ kind: 'channel' as const, name, action: 'delete' as const, changes: [] })),
      ],
    },
    options: options.changes,
    channels: channels.filter(({ item }) => item.action !== 'unchanged').map(({ step }) => step),
    removed,
  }
}

const NOTHING_TO_PRUNE_BY: LocalizedText = {
  zh: '要删除文件之外的渠道，文件里必须有 channels 部分',
  en: 'to remove channels that the file does not name, it must have a section channels',
}

/** Everything that a file can describe. */
export interface SiteState {
  readonly version: number
  readonly settings: Settings
  readonly channels: readonly StoredChannel[]
}

/** Reads a consistent snapshot. */
export function readSite({ db, vault }: Pick<Deps, 'db' | 'vault'>): Promise<SiteState> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => readSiteIn(transaction, { vault }))
}

export async function readSiteIn(transaction: Db, { vault }: Pick<Deps, 'vault'>): Promise<SiteState> {
  return {
    version: await readCatalogVersion(transaction),
    settings: await loadSettings(transaction, vault),
    channels: await channels.listAll(transaction),
  }
}
