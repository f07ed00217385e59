/** A living world in a page. */
export class GridPaper extends HTMLElement {
  /** The generation, as a text: it may be of any length. */
  readonly generation: string;
  /** The number of live cells, as a text. */
  readonly population: string;
  readonly rule: string;
  readonly running: boolean;
  /** Opens a pattern: its address, its text in any format, or the name of a built-in one. */
  load(pattern: string): Promise<void>;
  run(): Promise<void>;
  stop(): Promise<void>;
  step(generations?: number | bigint | string): Promise<void>;
  /** Goes to a generation, and is there when the promise is kept. */
  goto(generation: number | bigint | string): Promise<void>;
  /** Does one of gridpaper's commands, and returns what it says. */
  command(command: string): Promise<string>;
  addEventListener(kind: "generation", listener: (event: CustomEvent<GridPaperGeneration>) => void): void;
  addEventListener(kind: "settled", listener: (event: CustomEvent<GridPaperSettled>) => void): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    kind: K,
    listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

export interface GridPaperGeneration {
  generation: string;
  population: string;
}

export interface GridPaperSettled {
  generation: string;
  /** A number of generations in which the cells repeat. */
  period: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "grid-paper": GridPaper;
  }
}
