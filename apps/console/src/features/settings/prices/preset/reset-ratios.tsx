import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { App, Button } from '../../../../ui/kit/index.ts'
import type { Options } from '../../queries.ts'
import { readFigures } from '../price-list.ts'
import { useResetModelRatio } from '../queries.ts'

/** Sets the model ratios back, after a question that says how many of one's own are lost. */
export function ResetRatios({ options: { texts, facts } }: { options: Options }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const reset = useResetModelRatio()
  const ask = () => {
    const count = ownRatios(texts.ModelRatio, facts.get('ModelRatio')?.default)
    modal.confirm({
      title: t('prices.reset.title'),
      content: count === 0 ? t('prices.reset.nothing') : t('prices.reset.text', { count }),
      okText: t('prices.reset.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      onOk: () =>
        reset.mutateAsync().then(
          () => toast.success(t('prices.reset.done')),
          () => toast.error(t('prices.reset.failed')),
        ),
    })
  }
  return (
    <Button danger onClick={ask}>
      {t('prices.reset.open')}
    </Button>
  )
}

/** Ratios that somebody set here: other than the built-in ones, or of models that have none. */
function ownRatios(set: string | undefined, builtIn: string | undefined): number {
  const usual = readFigures(builtIn)
  return [...readFigures(set)].filter(([name, ratio]) => usual.get(name) !== ratio).length
}
