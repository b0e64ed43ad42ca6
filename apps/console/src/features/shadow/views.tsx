import type { ShadowSummary } from '@tidegate/contract/api'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageState } from '../../lib/url-state.ts'
import { Tabs } from '../../ui/kit/index.ts'
import { CallsList } from './list/calls-list.tsx'
import styles from './shadow.module.css'
import { ModelsTable } from './tables/models-table.tsx'
import { RoutesTable } from './tables/routes-table.tsx'
import { VIEWS, type useShadowPlace, type View } from './use-shadow-place.ts'

interface Props {
  place: ReturnType<typeof useShadowPlace>
  summary: ShadowSummary
  refreshing: boolean
}

/** The same calls by model, by route and one by one. */
export function Views({ place, summary, refreshing }: Props) {
  const { t } = useTranslation('shadow')
  const top = useRef<HTMLElement>(null)
  const pages: PageState = {
    ...place.pages,
    turn(page, size) {
      place.pages.turn(page, size)
      top.current?.scrollIntoView({ block: 'start' }) // from the pager to the first row
    },
  }
  const contents: Record<View, React.ReactNode> = {
    models: <ModelsTable models={summary.models} refreshing={refreshing} onShow={place.showCallsOf} />,
    routes: <RoutesTable routes={summary.routes} refreshing={refreshing} />,
    calls: (
      <CallsList
        filters={place.filters}
        models={summary.models.map((model) => model.model_name)}
        pages={pages}
        onChange={place.setFilters}
      />
    ),
  }
  return (
    <section ref={top} className={styles.views} aria-label={t('views.label')}>
      <Tabs
        activeKey={place.view}
        onChange={(view) => place.showView(view as View)}
        destroyOnHidden
        items={VIEWS.map((view) => ({ key: view, label: t(`views.${view}`), children: contents[view] }))}
      />
    </section>
  )
}
