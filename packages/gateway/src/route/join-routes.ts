import type { Route, Routes } from './route.ts'

/** The ways of several groups as one: a group is left when each of its channels was tried. No channel is tried in two groups. */
export function joinRoutes([first, ...others]: readonly [Routes, ...Routes[]]): Routes {
  if (others.length === 0) return first
  const all = [first, ...others]
  const tried = new Set<number>()
  let at = 0

  /** The next channel of a group that was not tried; one that was tried before when there is no other. */
  function nextOf(routes: Routes): Route | undefined {
    for (;;) {
      const route = routes.next()
      if (!route || route.again || !tried.has(route.channel.id)) return route
    }
  }

  return {
    get decision() {
      return all[at]!.decision
    },
    next() {
      let route = nextOf(all[at]!)
      for (let group = at + 1; (!route || route.again) && group < all.length; group++) {
        const other = nextOf(all[group]!)
        if (!other || other.again) continue
        at = group
        route = other
      }
      if (route) tried.add(route.channel.id)
      return route
    },
    readyIn() {
      const waits = all.map((routes) => routes.readyIn()).filter((wait) => wait !== undefined)
      return waits.length === 0 ? undefined : Math.min(...waits)
    },
    prices: () => all.flatMap((routes) => routes.prices()),
  }
}
