import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { Drawer } from '../../ui/kit/index.ts'
import { VirtualModels } from './virtual-models.tsx'

interface Props {
  open: boolean
  onClose(): void
}

/** The virtual models beside a list of something else. */
export default function VirtualModelsDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('mapping')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  return (
    <Drawer
      title={t('title')}
      open={open}
      onClose={onClose}
      size={isPhone ? '100%' : 760}
      destroyOnHidden
      closable={{ 'aria-label': common('close') }}
    >
      <VirtualModels />
    </Drawer>
  )
}
