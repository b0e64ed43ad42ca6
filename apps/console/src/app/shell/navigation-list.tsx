import { CommentOutlined, DownOutlined, ExperimentOutlined } from '@ant-design/icons'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { Tooltip } from '../../ui/kit/index.ts'
import { NAVIGATION_ICONS } from './navigation-icons.tsx'
import styles from './navigation-list.module.css'
import { chatLinks, sidebarSections, type ChatLink } from './navigation.ts'

interface Props {
  /** Icons only; the names appear on hover. */
  collapsed?: boolean
}

/** The places of the console, as the sidebar and the phone's menu both show them. */
export function NavigationList({ collapsed = false }: Props) {
  const { t } = useTranslation('shell')
  const status = useStatus()
  const user = useSession((session) => session.user)
  const chats = chatLinks(status.chats)
  return (
    <nav className={styles.list} aria-label={t('consoleMenu')} data-collapsed={collapsed || undefined}>
      <Place
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
            <Place
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

interface PlaceProps {
  path: string
  icon: ReactNode
  name: string
  collapsed: boolean
}

function Place({ path, icon, name, collapsed }: PlaceProps) {
  const link = (
    <NavLink to={path} className={styles.place} aria-label={name}>
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
        className={styles.place}
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
          <NavLink key={path} to={path} className={`${styles.place} ${styles.nested}`}>
            <span className={styles.name}>{name}</span>
          </NavLink>
        ))}
      </div>
    </>
  )
}
