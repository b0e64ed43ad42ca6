import {
  ApiOutlined,
  AuditOutlined,
  BarChartOutlined,
  BlockOutlined,
  ContainerOutlined,
  ExportOutlined,
  CommentOutlined,
  DownOutlined,
  ExperimentOutlined,
  FileImageOutlined,
  GiftOutlined,
  MailOutlined,
  ProfileOutlined,
  SettingOutlined,
  TagsOutlined,
  TeamOutlined,
  TransactionOutlined,
  UnorderedListOutlined,
  UserOutlined,
  WalletOutlined,
} from '@ant-design/icons'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { TokenIcon } from '../../components/token-icon.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import styles from './navigation-list.module.css'
import { chatLinks, sidebarSections, type ChatLink, type NavigationKey } from './navigation.ts'

interface Props {
  /** Shows only icons. The names appear on hover. */
  collapsed?: boolean
}

/** The entries of the sidebar and of the phone menu. */
export function NavigationList({ collapsed = false }: Props) {
  const { t } = useTranslation('shell')
  const status = useStatus()
  const user = useSession((session) => session.user)
  const chats = chatLinks(status.chats)
  const list = useCurrentInView()
  return (
    <nav ref={list} className={styles.list} aria-label={t('consoleMenu')} data-collapsed={collapsed || undefined}>
      <PageLink
        path="/playground"
        icon={<ExperimentOutlined aria-hidden />}
        name={t('playground')}
        collapsed={collapsed}
      />
      {chats.length > 0 && !collapsed && <Chats links={chats} />}
      {sidebarSections(status, user).map((section) => (
        <section key={section.key} className={styles.section} aria-label={t(`sections.${section.key}`)}>
          <div className={styles.heading} aria-hidden>
            {collapsed ? '' : t(`sections.${section.key}`)}
          </div>
          {section.items.map(({ key, path }) => (
            <PageLink
              key={key}
              path={path}
              icon={NAVIGATION_ICONS[key]}
              name={t(`navigation.${key}`)}
              collapsed={collapsed}
            />
          ))}
        </section>
      ))}
    </nav>
  )
}

/** Scrolls the entry of the current page into view. */
function useCurrentInView() {
  const { pathname } = useLocation()
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    links.find((link) => pathname.startsWith(link.pathname))?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return list
}

interface PageLinkProps {
  path: string
  icon: ReactNode
  name: string
  collapsed: boolean
}

function PageLink({ path, icon, name, collapsed }: PageLinkProps) {
  const link = (
    <NavLink to={path} className={styles.link} aria-label={name}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      {!collapsed && <span className={styles.name}>{name}</span>}
    </NavLink>
  )
  return collapsed ? (
    <Tooltip title={name} placement="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

function Chats({ links }: { links: ChatLink[] }) {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className={styles.link}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.icon} aria-hidden>
          <CommentOutlined aria-hidden />
        </span>
        <span className={styles.name}>{t('chats')}</span>
        <DownOutlined className={styles.arrow} aria-hidden rotate={open ? 180 : 0} />
      </button>
      <div id={id} hidden={!open}>
        {links.map(({ name, path }) => (
          <NavLink key={path} to={path} className={`${styles.link} ${styles.nested}`}>
            <span className={styles.name}>{name}</span>
          </NavLink>
        ))}
      </div>
    </>
  )
}

export const NAVIGATION_ICONS: Record<NavigationKey, ReactNode> = {
  dashboard: <BarChartOutlined aria-hidden />,
  tokens: <TokenIcon />,
  usageLogs: <ProfileOutlined aria-hidden />,
  drawingLogs: <FileImageOutlined aria-hidden />,
  taskLogs: <UnorderedListOutlined aria-hidden />,
  batches: <ContainerOutlined aria-hidden />,
  exports: <ExportOutlined aria-hidden />,
  siteExports: <ExportOutlined aria-hidden />,
  channels: <ApiOutlined aria-hidden />,
  prices: <TagsOutlined aria-hidden />,
  coupons: <GiftOutlined aria-hidden />,
  orders: <TransactionOutlined aria-hidden />,
  messages: <MailOutlined aria-hidden />,
  users: <TeamOutlined aria-hidden />,
  shadow: <BlockOutlined aria-hidden />,
  settings: <SettingOutlined aria-hidden />,
  audit: <AuditOutlined aria-hidden />,
  wallet: <WalletOutlined aria-hidden />,
  me: <UserOutlined aria-hidden />,
}
