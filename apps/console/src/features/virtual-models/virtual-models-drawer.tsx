import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { VirtualModels } from './virtual-models.tsx'

interface Props {
  open: boolean
  onClose(): void
}

/** The virtual models in a drawer over a list. */
export default function VirtualModelsDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('mapping')
  return (
    <SideDrawer title={t('title')} open={open} onClose={onClose}>
      <VirtualModels />
    </SideDrawer>
  )
}
