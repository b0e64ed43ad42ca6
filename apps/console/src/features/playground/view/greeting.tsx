import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { useAsking } from '../use-asking.ts'

/** A conversation before its first message. The first line of an exchange is offered, and sent only on a click. */
export function Greeting({ hasModels }: { hasModels: boolean }) {
  const { t } = useTranslation('playground')
  const { ask } = useAsking()
  if (!hasModels) return <EmptyState title={t('settings.noModels')} />
  return (
    <EmptyState
      title={t('greeting.answer')}
      action={<Button onClick={() => ask(t('greeting.question'), [])}>{t('greeting.question')}</Button>}
    />
  )
}
