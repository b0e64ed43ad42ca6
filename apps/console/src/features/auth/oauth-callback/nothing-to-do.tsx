import { useTranslation } from 'react-i18next'
import { useServiceName } from '../../../components/auth/service-names.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import type { CallbackService } from './finish-sign-in.ts'
import { WayOn } from './way-on.tsx'

/** Opened by hand, or with an answer that this tab did not ask for. */
export function NothingToDo({ service, isForeign }: { service: CallbackService; isForeign: boolean }) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const hint = isForeign ? t('callback.otherTab') : t('callback.nothingHint', { service: nameOf(service) })
  return (
    <NarrowPanel title={t('callback.nothing')} purpose={hint}>
      <WayOn />
    </NarrowPanel>
  )
}
