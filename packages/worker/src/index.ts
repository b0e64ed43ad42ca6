/** Background work of the site. */
export { maintenanceJobs } from './jobs.ts'
export { runJobs, type Job, type RunningJobs } from './run-jobs.ts'
