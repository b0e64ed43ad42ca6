import { BulbOutlined, CopyOutlined, LogoutOutlined, PlusOutlined, TranslationOutlined } from '@ant-design/icons'
import { isAdmin } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { siteAddress } from '../../features/tokens/connect/connection.ts'
import { currentLanguage } from '../../lib/i18n.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../lib/languages.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { chooseThemeMode, useThemeMode } from '../../lib/theme/theme-mode.ts'
import type { Texts } from '../../locales/texts.ts'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { useLogout } from '../shell/account-menu.tsx'
import type { Command } from './command.tsx'
import { SEARCH_TERMS } from './search-terms.ts'

/** The actions of the user. Forms open in the drawer of their page. */
export function useActions(): Command[] {
  const { t, i18n } = useTranslation('palette')
  const { t: shell } = useTranslation('shell')
  const zh = i18n.getFixedT('zh', 'palette')
  const en = i18n.getFixedT('en', 'palette')
  const { server_address: serverAddress } = useStatus()
  const user = useSession((session) => session.user)
  const isDark = useThemeMode((state) => state.mode === 'dark')
  const copyText = useCopyText()
  const logout = useLogout()

  const action = (key: ActionKey, target: Command['target'], icon: ReactNode = <PlusOutlined aria-hidden />) => ({
    ...plainAction(key, t(`actions.${key}`), target, icon),
    terms: [zh(`actions.${key}`), en(`actions.${key}`), ...(SEARCH_TERMS[key] ?? [])],
  })
  const address = `${siteAddress(serverAddress)}/v1`
  const toggleTheme = () => chooseThemeMode(isDark ? 'light' : 'dark')
  const languages = LANGUAGE_CODES.filter((code) => code !== currentLanguage()).map((code) => ({
    ...plainAction(
      'language',
      t('actions.language', { name: LANGUAGES[code].name }),
      () => void i18n.changeLanguage(code),
      <TranslationOutlined aria-hidden />,
    ),
    id: `do:language-${code}`,
    terms: [LANGUAGES[code].name, ...(SEARCH_TERMS['language'] ?? [])],
  }))
  return [
    ...(user ? [action('createToken', '/app/tokens?drawer=create')] : []),
    ...(isAdmin(user?.role ?? 0)
      ? [
          action('createChannel', '/admin/channels?drawer=create'),
          action('addUser', '/admin/users?drawer=create'),
          action('createCodes', '/admin/coupons?drawer=create'),
          action('newMessage', '/admin/messages?drawer=create'),
        ]
      : []),
    { ...action('copyAddress', () => void copyText(address), <CopyOutlined aria-hidden />), hint: address },
    plainAction('theme', isDark ? shell('useLight') : shell('useDark'), toggleTheme, <BulbOutlined aria-hidden />),
    ...languages,
    ...(user ? [plainAction('logout', shell('logout'), () => logout.mutate(), <LogoutOutlined aria-hidden />)] : []),
  ]
}

type ActionKey = keyof Texts['palette']['actions']

const plainAction = (key: string, title: string, target: Command['target'], icon: ReactNode): Command => ({
  id: `do:${key}`,
  group: 'actions',
  title,
  terms: SEARCH_TERMS[key] ?? [],
  icon,
  target,
})
