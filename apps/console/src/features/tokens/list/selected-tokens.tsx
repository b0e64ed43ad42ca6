import { CopyOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/kit/index.ts'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { useCopyText } from '../../../ui/use-copy-text.tsx'
import { linesOf } from '../token-words.ts'
import type { Selection } from './use-selection.ts'

/** What can be done with the tokens that are ticked. */
export function SelectedTokens({ selection }: { selection: Selection }) {
  const { t } = useTranslation('tokens')
  const copyText = useCopyText()
  const { tokens } = selection
  const count = tokens.length
  const copy = () => {
    if (count === 0) toast.error(t('selection.nothing'))
    else void copyText(linesOf(tokens), t('selection.copied', { count }))
  }
  return (
    <SelectionBar
      count={count}
      onSelectShown={selection.selectShown}
      onClear={selection.clear}
      onLeave={selection.leave}
    >
      <Button icon={<CopyOutlined aria-hidden />} onClick={copy}>
        {t('selection.copy')}
      </Button>
    </SelectionBar>
  )
}
