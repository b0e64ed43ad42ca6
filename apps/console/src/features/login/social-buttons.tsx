import {
  GithubOutlined,
  GlobalOutlined,
  SafetyCertificateOutlined,
  SendOutlined,
  WechatOutlined,
} from '@ant-design/icons'
import type { Status } from '@tidegate/contract/api'
import { Button, Divider } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import styles from './login.module.css'

/** Ways to log in with an account from elsewhere: those the operator has switched on. */
export function SocialButtons({ status }: { status: Status }) {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const ways = [
    { path: '/oauth/github', enabled: status.github_oauth, name: 'GitHub', icon: <GithubOutlined aria-hidden /> },
    {
      path: '/oauth/oidc',
      enabled: status.oidc_enabled,
      name: 'OIDC',
      icon: <SafetyCertificateOutlined aria-hidden />,
    },
    { path: '/oauth/linuxdo', enabled: status.linuxdo_oauth, name: 'LinuxDO', icon: <GlobalOutlined aria-hidden /> },
    { path: '/oauth/wechat', enabled: status.wechat_login, name: t('wechat'), icon: <WechatOutlined aria-hidden /> },
    { path: '/oauth/telegram', enabled: status.telegram_oauth, name: 'Telegram', icon: <SendOutlined aria-hidden /> },
  ].filter((way) => way.enabled)
  if (ways.length === 0) return null
  return (
    <>
      <Divider plain className={styles.or}>
        {t('or')}
      </Divider>
      <div className={styles.social}>
        {ways.map(({ path, name, icon }) => (
          <Button key={path} block icon={icon} onClick={() => void navigate(path)}>
            {t('with', { provider: name })}
          </Button>
        ))}
      </div>
    </>
  )
}
