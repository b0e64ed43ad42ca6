import type { EChartsCoreOption } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import { useWantsLessMotion } from '../../lib/use-media.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { SkeletonBlock } from '../feedback/skeleton.tsx'
import styles from './chart.module.css'
import type { EChartsType } from './engine.ts'

export type ChartOption = EChartsCoreOption

interface Props {
  /** The content in one sentence, for screen readers. */
  label: string
  /** Pixels; reserved before the chart is drawn, so that nothing moves. */
  height: number
  option: ChartOption
  /** Index of the series to emphasize. */
  highlighted?: number | null
  /** The series under the pointer. */
  onHover?(series: number | null): void
  /** The position on the time axis that was clicked. */
  onPick?(index: number): void
}

/** An ECharts chart that follows the width of its container. Animates only if the user allows motion. */
export function Chart({ label, height, option, highlighted = null, onHover, onPick }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useChart(host)
  const animation = !useWantsLessMotion()
  const actions = useStableActions({
    hover: (series: number | null) => onHover?.(series),
    pick: (index: number) => onPick?.(index),
  })
  useEffect(() => {
    chart?.setOption({ ...option, animation, animationDuration: 150, animationDurationUpdate: 150 }, { notMerge: true })
  }, [chart, option, animation])
  useEffect(() => {
    if (!chart) return
    chart.dispatchAction({ type: 'downplay' })
    if (highlighted !== null) chart.dispatchAction({ type: 'highlight', seriesIndex: highlighted })
  }, [chart, highlighted])
  useEffect(() => {
    if (!chart) return
    const enter = ({ seriesIndex }: { seriesIndex?: number }) => actions.hover(seriesIndex ?? null)
    const leave = () => actions.hover(null)
    const click = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      if (!chart.containPixel('grid', [offsetX, offsetY])) return
      const index = chart.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY])[0]
      if (typeof index === 'number' && index >= 0) actions.pick(Math.round(index))
    }
    chart.on('mouseover', enter)
    chart.on('mouseout', leave)
    chart.getZr().on('click', click)
  }, [chart, actions])
  return (
    <figure className={styles.chart} style={{ height }} aria-label={label} data-drawn={chart !== null}>
      <div ref={host} className={styles.host} aria-hidden />
      {chart === null && <SkeletonBlock className={styles.loading} />}
    </figure>
  )
}

/** The chart once the library is loaded. */
function useChart(host: React.RefObject<HTMLDivElement | null>): EChartsType | null {
  const [chart, setChart] = useState<EChartsType | null>(null)
  useEffect(() => {
    const place = host.current!
    let created: EChartsType | undefined
    let isMounted = true
    const observer = new ResizeObserver(() => created?.resize())
    void import('./engine.ts').then(({ init }) => {
      if (!isMounted) return
      created = init(place)
      observer.observe(place)
      setChart(created)
    })
    return () => {
      isMounted = false
      observer.disconnect()
      created?.dispose()
      setChart(null)
    }
  }, [host])
  return chart
}
