import { timingSafeEqual } from 'node:crypto'
import { api, localizedDefaults, parseOption, ApiError, ROLES, type OptionKey } from '@tidegate/contract'
import { recordEntry } from '@tidegate/ledger'
import { auditEvents, options, setup, users, type Db, type Vault } from '@tidegate/storage'
import { changeCatalog } from '../../change-catalog.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { checkPassword } from '../password/account-rules.ts'
import { newInviteCode } from './register.ts'
import { hashPassword } from '../password/passwords.ts'

const { PASSWORD_LENGTH } = api
const ROOT_QUOTA = 100_000_000

export async function setupStatus(
  { db, site }: Pick<Deps, 'db' | 'site'>,
  { isLocal }: Origin,
): Promise<api.SetupStatus> {
  const done = await isInitialized(db)
  return {
    status: done,
    root_init: (await users.findRoot(db)) !== undefined,
    database_type: site.databaseType,
    code_required: !done && !isLocal,
  }
}

/**
 * True once the setup record exists. Imported data can have a super admin without it; then the modes are still open.
 */
export function isInitialized(db: Db): Promise<boolean> {
  return setup.isDone(db)
}

/** Proves access to the server log. Valid until setup is done. */
export function setupCode(vault: Vault): string {
  return vault.keyedHash('setup-code', 'first run').slice(0, 12)
}

/**
 * Creates the super admin and the modes, once: of concurrent submissions, only the one that claims the setup row
 * succeeds.
 */
export async function submitSetup(
  deps: Pick<Deps, 'db' | 'vault' | 'site' | 'catalog' | 'catchUp'>,
  submission: api.SetupSubmission,
  origin: Origin,
): Promise<void> {
  const { db, site, catalog } = deps
  if (await isInitialized(db)) throw new ApiError('setup_done')
  checkCode(deps, submission.setup_code, origin)
  if (submission.SelfUseModeEnabled && submission.DemoSiteEnabled) throw new ApiError('setup_modes_exclusive')
  const root = (await users.findRoot(db)) ? undefined : await prepareRoot(submission, catalog().settings.SystemName)

  const chosen = chosenOptions(submission)
  const texts = submission.language ? localizedDefaults(submission.language) : []
  await changeCatalog(deps, async (transaction) => {
    if (!(await setup.claim(transaction, site.version))) throw new ApiError('setup_done')
    if (root) await createRoot(transaction, root)
    for (const [key, value] of chosen) await options.put(transaction, { key, value, sealed: false }, null)
    for (const [key, value] of texts) await options.putNew(transaction, { key, value, sealed: false })
    await auditEvents.record(transaction, { actorId: null, action: 'setup', ...origin })
  })
}

function chosenOptions({ SelfUseModeEnabled, DemoSiteEnabled, ServerAddress, language }: api.SetupSubmission) {
  const chosen: [OptionKey, string][] = [
    ['SelfUseModeEnabled', String(SelfUseModeEnabled)],
    ['DemoSiteEnabled', String(DemoSiteEnabled)],
  ]
  if (ServerAddress.trim() !== '') chosen.push(['ServerAddress', readAddress(ServerAddress)])
  if (language) chosen.push(['general_setting.default_language', language])
  return chosen
}

function readAddress(text: string): string {
  try {
    return parseOption('ServerAddress', text)
  } catch (cause) {
    throw new ApiError('setup_address_invalid', {}, { cause })
  }
}

function checkCode({ vault }: Pick<Deps, 'vault'>, input: string | undefined, { isLocal }: Origin): void {
  if (isLocal) return
  const expected = Buffer.from(setupCode(vault))
  const actual = Buffer.from(input?.trim() ?? '')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw new ApiError('setup_code_required')
}

async function prepareRoot({ username, password, confirmPassword }: api.SetupSubmission, siteName: string) {
  const name = username.trim()
  if (name === '') throw new ApiError('setup_username_required')
  // oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
  if ([...name].length > api.USERNAME_MAX_LENGTH || /[\u0000-\u001f\u007f@]/.test(name))
    throw new ApiError('setup_username_invalid')
  if (password !== confirmPassword) throw new ApiError('setup_password_mismatch')
  const length = [...password.normalize('NFKC')].length
  if (length < PASSWORD_LENGTH.min) throw new ApiError('setup_password_short')
  if (length > PASSWORD_LENGTH.max) throw new ApiError('setup_password_long')
  await checkPassword(password, { username: name, siteName })
  return { username: name, passwordHash: await hashPassword(password) }
}

async function createRoot(
  db: Db,
  { username, passwordHash }: { username: string; passwordHash: string },
): Promise<void> {
  const id = await users.insert(db, {
    username,
    password_hash: passwordHash,
    display_name: 'Root User',
    role: ROLES.root,
    aff_code: newInviteCode(),
  })
  await recordEntry(db, { userId: id, kind: 'setup_grant', amount: ROOT_QUOTA, reference: 'setup' })
}
