import { CopyOutlined, StopOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { App, Button } from '../../../ui/kit/index.ts'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { linesOf } from '../coupon-words.ts'
import { useDisableCoupons } from '../mutations.ts'
import { useCopyText } from '../../../ui/use-copy-text.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the codes that are ticked. */
export function SelectedCoupons({ selection }: { selection: Selection }) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const copyText = useCopyText()
  const disabling = useDisableCoupons()
  const { coupons } = selection
  const count = coupons.length

  const withSome = (action: () => void) => () => (count === 0 ? toast.error(t('selection.nothing')) : action())
  const copy = () => void copyText(linesOf(coupons), t('selection.copied', { count }))
  const disable = async () => {
    const done = await disabling.mutateAsync(coupons.map(({ id }) => id))
    if (done === count) toast.success(t('selection.disabled', { count: done }))
    else toast.info(t('selection.disabledSome', { count: done, others: count - done }))
    selection.clear()
  }
  const askToDisable = () =>
    void modal.confirm({
      title: t('selection.disableTitle', { count }),
      content: t('selection.disableText'),
      okText: t('selection.disableOk'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // A refusal has been told by a toast.
      onOk: () => disable().catch(() => {}),
    })
  return (
    <SelectionBar
      count={count}
      onSelectShown={selection.selectShown}
      onClear={selection.clear}
      onLeave={selection.leave}
    >
      <Button icon={<CopyOutlined aria-hidden />} onClick={withSome(copy)}>
        {t('selection.copy')}
      </Button>
      <Button danger icon={<StopOutlined aria-hidden />} onClick={withSome(askToDisable)}>
        {t('selection.disable')}
      </Button>
    </SelectionBar>
  )
}
