/** Callbacks by which a step tells the page what its next button should say. */
export interface StepProps {
  /** Whether the step has what it is for; going on without is fine, and said so. */
  onReady: (ready: boolean) => void;
}
