import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { Drawer } from '../kit/index.ts'

/** Width of every drawer in pixels. On a phone a drawer covers the screen. */
const DRAWER_WIDTH = 600

/** Buttons end where the fields above them end. */
const FOOTER = { footer: { paddingInline: 24 } }

/** A drawer over the page. */
export function SideDrawer(props: Omit<ComponentProps<typeof Drawer>, 'size'>) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  return (
    <Drawer
      size={isPhone ? '100%' : DRAWER_WIDTH}
      destroyOnHidden
      closable={{ 'aria-label': t('close') }}
      styles={FOOTER}
      {...props}
    />
  )
}
