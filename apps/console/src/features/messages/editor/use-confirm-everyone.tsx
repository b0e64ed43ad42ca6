import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatCount, formatExactTime } from '../../../lib/format.ts'
import { App } from '../../../ui/kit/index.ts'
import { accountCountQuery } from '../queries.ts'

/** Asks before every account of the site gets a message, and says how many there are. */
export function useConfirmEveryone() {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const client = useQueryClient()
  return async (sendAt: number | null): Promise<boolean> => {
    const count = await client.fetchQuery(accountCountQuery).catch(() => null)
    return modal.confirm({
      title: t('everyone.title'),
      content: (
        <>
          <p>{count === null ? t('everyone.textUnknown') : t('everyone.text', { count: formatCount(count) })}</p>
          <p>
            {sendAt === null ? t('everyone.now') : t('everyone.later', { time: formatExactTime(sendAt).slice(0, -3) })}
          </p>
        </>
      ),
      okText: t('everyone.ok'),
      cancelText: common('cancel'),
    })
  }
}
