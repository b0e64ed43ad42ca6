import { LogoutOutlined, UserOutlined, WalletOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { LateMenu } from './late-menu.tsx'
import styles from './top-bar.module.css'
import { useLogout } from './use-logout.ts'

export function AccountMenu() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const logout = useLogout()
  const name = user?.display_name || user?.username || ''
  return (
    <LateMenu
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
    </LateMenu>
  )
}
