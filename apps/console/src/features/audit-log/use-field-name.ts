import { useTranslation } from 'react-i18next'

const NAMED = [
  'amount',
  'asked',
  'call',
  'channels',
  'config_file',
  'count',
  'display_name',
  'fields',
  'from',
  'group',
  'hash',
  'ids',
  'keys',
  'label',
  'left',
  'matched',
  'method',
  'money',
  'name',
  'options',
  'passkey',
  'password',
  'quota',
  'reason',
  'removed',
  'restored_from',
  'role',
  'seen',
  'service',
  'session',
  'status',
  'type',
  'user_id',
  'username',
] as const

/** What is noted of a change beside the entries of an option. */
const NOTES: ReadonlySet<string> = new Set(['config_file', 'restored_from'])

/** The name of a field in words where there are some, else as the server wrote it. */
export function useFieldName(action: string): (path: readonly string[]) => string {
  const { t } = useTranslation('audit')
  return (path) => {
    if (path.length === 0) return action === 'user.balance' ? t('fields.balance') : t('fields.value')
    // The entries of an option are names that the operator chose.
    const isEntry = action.startsWith('option.') && !NOTES.has(path[0]!)
    const known = isEntry ? undefined : NAMED.find((name) => name === path[0])
    return path.length === 1 && known ? t(`fields.${known}`) : path.join(' › ')
  }
}
