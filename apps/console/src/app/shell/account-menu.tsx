import { LogoutOutlined, UserOutlined, WalletOutlined } from '@ant-design/icons'
import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { forgetUser, leaveBy, useSession } from '../../api/session.ts'
import { unsubscribeBrowser } from '../../lib/browser-push.ts'
import { toast } from '../../lib/toast.ts'
import { LazyMenu } from './lazy-menu.tsx'
import styles from './top-bar.module.css'

export function AccountMenu() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const logout = useLogout()
  const name = user?.display_name || user?.username || ''
  return (
    <LazyMenu
      menu={{
        items: [
          { key: 'name', type: 'group', label: <span className={styles.accountName}>{name}</span> },
          { key: 'me', icon: <UserOutlined aria-hidden />, label: t('navigation.me') },
          { key: 'wallet', icon: <WalletOutlined aria-hidden />, label: t('navigation.wallet') },
          { type: 'divider' },
          { key: 'logout', icon: <LogoutOutlined aria-hidden />, label: t('logout') },
        ],
        onClick: ({ key }) => {
          if (key === 'logout') logout.mutate()
          else void navigate(`/app/${key}`)
        },
      }}
    >
      {(button) => (
        <button type="button" className={styles.avatar} aria-label={t('accountOf', { name })} {...button}>
          {[...name][0]?.toUpperCase()}
        </button>
      )}
    </LazyMenu>
  )
}

export function useLogout() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => leaveBy(() => call(api.logout)),
    onSuccess: () => {
      // The server removed the subscription with the session; the next user of this browser starts without one.
      void unsubscribeBrowser()
      forgetUser('logged-out')
      void navigate('/login')
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      toast.success(t('loggedOut'))
    },
  })
}
