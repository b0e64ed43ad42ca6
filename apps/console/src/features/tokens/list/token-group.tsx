import type { ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { GroupRatio } from '../group-ratio.tsx'
import { ownGroupsQuery } from '../queries.ts'
import styles from '../tokens.module.css'

/** The group that calls are billed in; without one of its own, a token goes with its owner. */
export function TokenGroup({ token }: { token: Pick<ApiToken, 'group'> }) {
  const { t } = useTranslation('tokens')
  const ownGroup = useSession(({ user }) => user?.group ?? '')
  const ratio = useQuery(ownGroupsQuery).data?.[token.group || ownGroup]?.ratio
  return (
    <span className={styles.group}>
      {token.group ? <span>{token.group}</span> : <span className="secondary">{t('ownGroup')}</span>}
      {ratio !== undefined && <GroupRatio ratio={ratio} />}
    </span>
  )
}
