import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { stored } from '../../lib/stored.ts'
import { NavigationList } from './navigation-list.tsx'
import styles from './shell.module.css'

export function Sidebar() {
  const { t } = useTranslation('shell')
  const [collapsed, setCollapsed] = useState(() => stored.collapseSidebar.get() ?? false)
  const toggle = () => {
    stored.collapseSidebar.set(!collapsed)
    setCollapsed(!collapsed)
  }
  return (
    <aside className={styles.sidebar} data-collapsed={collapsed || undefined}>
      <div className={styles.sidebarPlaces}>
        <NavigationList collapsed={collapsed} />
      </div>
      <button
        type="button"
        className={styles.collapse}
        aria-label={collapsed ? t('expandSidebar') : t('collapseSidebar')}
        aria-expanded={!collapsed}
        onClick={toggle}
      >
        {collapsed ? <MenuUnfoldOutlined aria-hidden /> : <MenuFoldOutlined aria-hidden />}
        {!collapsed && <span>{t('collapseSidebar')}</span>}
      </button>
    </aside>
  )
}
