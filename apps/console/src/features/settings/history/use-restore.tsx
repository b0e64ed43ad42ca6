import type { OptionChange, OptionKey } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { App } from '../../../ui/kit/index.ts'
import { refusalText } from '../form/refusal-text.ts'
import { optionsQuery } from '../queries.ts'
import styles from './history.module.css'
import { useRestoreOption } from './queries.ts'
import { useOptionName } from './use-option-name.ts'
import { ValueChange } from './value-change.tsx'

/** Takes a change back after a question that shows what is set now and what will be. */
export function useRestore(): (change: OptionChange) => void {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const client = useQueryClient()
  const nameOf = useOptionName()
  const restore = useRestoreOption()
  return ({ id, key, before }) => {
    const options = client.getQueryData(optionsQuery.queryKey)
    const now = options?.texts[key as OptionKey] ?? ''
    const label = nameOf(key)
    modal.confirm({
      title: t('history.confirm.title', { label }),
      width: 520,
      content: (
        <div className={styles.question}>
          <p>{t('history.confirm.text')}</p>
          <ValueChange optionKey={key} facts={options?.facts.get(key)} before={now} after={before ?? ''} />
        </div>
      ),
      okText: t('history.confirm.ok'),
      cancelText: common('cancel'),
      onOk: () =>
        restore.mutateAsync(id).then(
          () => toast.success(t('history.confirm.done', { label })),
          (error: unknown) => toast.error(refusalText(error)),
        ),
    })
  }
}
