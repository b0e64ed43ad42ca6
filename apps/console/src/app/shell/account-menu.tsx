import { LogoutOutlined, UserOutlined, WalletOutlined } from '@ant-design/icons'
import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../lib/call.ts'
import { forgetUser, leaveBy, useSession } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import styles from './top-bar.module.css'

export function AccountMenu() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const logout = useLogout()
  const name = user?.display_name || user?.username || ''
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
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
      <button type="button" className={styles.avatar} aria-label={t('accountOf', { name })} aria-haspopup="menu">
        {[...name][0]?.toUpperCase()}
      </button>
    </Dropdown>
  )
}

function useLogout() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => leaveBy(() => call(api.logout)),
    onSuccess: () => {
      forgetUser('logged-out')
      void navigate('/login')
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      toast.success(t('loggedOut'))
    },
  })
}
