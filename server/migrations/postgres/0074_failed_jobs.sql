-- Jobs that were given up. The operator's page counts those of the last days; no name and no data of anybody.
CREATE TABLE failed_jobs (
  job_id uuid PRIMARY KEY,
  queue text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX failed_jobs_failed_at ON failed_jobs (failed_at);
