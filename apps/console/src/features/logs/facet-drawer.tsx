import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../../ui/kit/index.ts'
import { Facets } from './facets.tsx'

/** The facets in a drawer, for narrow screens. */
export default function FacetDrawer({
  open,
  onClose,
  ...facets
}: ComponentProps<typeof Facets> & { open: boolean; onClose(): void }) {
  const { t } = useTranslation('logs')
  return (
    <Drawer open={open} title={t('filters.label')} size={320} onClose={onClose}>
      <Facets {...facets} />
    </Drawer>
  )
}
