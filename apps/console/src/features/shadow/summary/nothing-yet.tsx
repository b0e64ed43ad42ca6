import { BlockOutlined } from '@ant-design/icons'
import { isRoot, type ShadowSummary } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../api/session.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { useSetShadow } from '../queries.ts'
import styles from '../shadow.module.css'

/** No calls: what is missing so that there will be some. */
export function NothingYet({ summary: { enabled } }: { summary: ShadowSummary }) {
  const { t } = useTranslation('shadow')
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  const set = useSetShadow()
  const kind = enabled ? 'nothing' : mayChange ? 'off' : 'offNotRoot'
  return (
    <section className={styles.panel}>
      <EmptyState
        icon={<BlockOutlined aria-hidden />}
        title={t(`empty.${kind}.title`)}
        hint={t(`empty.${kind}.hint`)}
        action={
          kind === 'off' && (
            <Button type="primary" loading={set.isPending} onClick={() => set.mutate({ enabled: true })}>
              {t('empty.switchOn')}
            </Button>
          )
        }
      />
    </section>
  )
}
