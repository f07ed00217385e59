// The types of the server's messages. Integers that may be large are strings.

/**
 * @typedef {object} Area a rectangle of cells
 * @property {string} x
 * @property {string} y
 * @property {string} width
 * @property {string} height
 */

/**
 * @typedef {object} Settings
 * @property {string} theme the name of a theme, or "auto"
 * @property {string} colouring "state", "age", "heat" or "period"
 * @property {number[]} periods by their colours from `ages`, where cells are coloured by period
 * @property {boolean} grid
 * @property {number} major every so many lines one is stronger
 * @property {boolean} rulers coordinates along the edges
 * @property {boolean} icons of a rule file
 * @property {boolean} dying
 * @property {boolean} age
 * @property {boolean} history
 * @property {boolean} run_while_drawing
 */

/**
 * @typedef {object} ViewerStatus
 * @property {string} zoom
 * @property {string} tool
 * @property {number} pen
 * @property {{name: string, centre: [string, string]} | null} symmetry
 * @property {boolean} follow
 * @property {string} curves what the plot shows: `population births log-y`
 * @property {string | null} track the way that the view goes with a ship: `1,1/4`
 * @property {[string, string] | null} cursor
 * @property {number | null} cursor_state
 */

/** @typedef {{name: string, generation: string, cells: number | null}} ChangeEntry */

/**
 * @typedef {object} ChangeList the changes that can be undone and redone
 * @property {ChangeEntry[]} done the last one first
 * @property {ChangeEntry[]} undone the next one first
 * @property {number} older how many more can be undone than are listed
 */

/**
 * @typedef {object} Status all that is printed about the session
 * @property {string} title
 * @property {boolean} unsaved
 * @property {string} rule
 * @property {string} family
 * @property {number} states
 * @property {string} topology
 * @property {string} generation
 * @property {string} population
 * @property {string} [population_text]
 * @property {Area | null} bounds
 * @property {string} engine
 * @property {string} choice the engine that was asked for
 * @property {string} why
 * @property {string} [kernel]
 * @property {number} memory bytes that a world may take
 * @property {boolean} running
 * @property {{to: string, from: string} | null} going
 * @property {number | null} speed generations a second that were asked for, null for as many as can be
 * @property {string} stride generations a step
 * @property {boolean} hyper
 * @property {number} measured generations a second really done
 * @property {{undo: string | null, redo: string | null, back: boolean, paste: boolean}} can
 * @property {ChangeList} changes
 * @property {{id: number, generation: string}[]} timeline checkpoints of earlier generations
 * @property {Area | null} selection
 * @property {string | number} [selected] live cells in the selection
 * @property {[number, number] | null} clip columns and rows of the clipboard
 * @property {number} clip_more how many patterns more its text has
 * @property {Settings} settings
 * @property {string} paste_mode
 * @property {string} name
 * @property {string} author
 * @property {string[]} comments
 * @property {string | null} file that was opened or saved last
 * @property {[string, string][]} bookmarks names, each with its generation; "" for a place alone
 * @property {{place: [string, string], text: string, size: number}[]} labels texts at cells
 * @property {string | null} change what the step to this generation changed, in words
 * @property {string | null} message
 * @property {ViewerStatus} viewer
 */

/**
 * @typedef {object} Look the colours of everything
 * @property {Record<string, string>} theme the theme's named colours, and its name
 * @property {string[]} states one for each state of the rule
 * @property {string} dying
 * @property {string[]} ages 64, the last is a cell just born
 * @property {string[]} history 64, the last is a cell just gone
 * @property {string[]} density 256
 * @property {string[]} compared cells of this world and another one: in both, here alone, there alone
 * @property {string[]} names of the states
 * @property {number[]} icons the sides in which the states have icons
 */

/**
 * @typedef {object} FrameHeader
 * @property {number} id the last command of this tab that is in it
 * @property {string} left pixels from the sheet's origin
 * @property {string} top
 * @property {string} zoom
 * @property {number} width
 * @property {number} height
 * @property {"bits" | "bytes" | "density"} kind
 * @property {string} x the rectangle of cells (bits and bytes)
 * @property {string} y
 * @property {number} w
 * @property {number} h
 * @property {boolean} marks
 * @property {string} generation
 * @property {string | null} population where counting is quick
 * @property {number} revision
 * @property {import("./lattice.js").Lattice} [lattice] where cells are no squares
 * @property {ComparedWorld | null} [compared] another world that is laid over this one; null before it is seen
 * @property {{x: string | null, y: string | null, width: string | null, height: string | null}} [board]
 *   where the paper ends; null for a side that has no end
 * @property {{columns: RulerMarks, rows: RulerMarks}} [rulers] where they are shown
 */

/**
 * @typedef {object} ComparedWorld
 * @property {string} id
 * @property {string} title
 * @property {string} generation
 * @property {number} both how many visible cells are live in both worlds
 * @property {number} here in this one alone
 * @property {number} there in that one alone
 * @property {boolean} cells cells were counted, and not pixels
 * @property {boolean | null} together whether the two step together; null where that one may not be changed
 */

/** @typedef {[number, string][]} RulerMarks the middle of a cell in pixels, and its coordinate */

/**
 * @typedef {object} CommandEntry
 * @property {string} name
 * @property {string} usage the words that may follow the name
 * @property {string} group
 * @property {string} help
 */

/**
 * @typedef {object} KeyEntry
 * @property {string} keys
 * @property {string} command
 */

/**
 * @typedef {object} Welcome
 * @property {number} tab
 * @property {string} version
 * @property {CommandEntry[]} commands
 * @property {KeyEntry[]} keys
 * @property {{name: string, extension: string}[]} formats
 * @property {{name: string, usage: string, words: string}[]} topologies
 * @property {{upload: number, message: number}} [limits] bytes
 * @property {boolean} [folder] whether files can be saved on the server's side
 * @property {string[]} [files] the pattern files that lie there
 * @property {string | null} [note] what is to be said at the start
 */

/**
 * @typedef {object} FormatOffer what saving in a format would do
 * @property {string} name
 * @property {string | null} extension without the dot
 * @property {string | null} refusal why it cannot hold this world
 * @property {string[]} losses what it leaves out
 */

/**
 * @typedef {object} Ask
 * @property {string} question
 * @property {string} command what to send if the answer is yes
 * @property {string} yes the button
 */

/**
 * @typedef {object} Reply
 * @property {number} [id]
 * @property {boolean} ok
 * @property {string | null} [note]
 * @property {boolean} [undo]
 * @property {string | null} [clip]
 * @property {string} [error]
 * @property {string | null} [hint]
 * @property {Ask | null} [ask]
 */

/**
 * @typedef {object} PeriodMap the local period of each cell of an object, row by row; 0 where nothing ever lives
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} period
 * @property {number[]} periods
 */

/**
 * @typedef {object} IdentificationCard what a pattern is
 * @property {string} title
 * @property {string | null} code its apgcode
 * @property {[string, string][]} rows
 * @property {{code: string, name: string | null, count: number}[]} objects
 * @property {PeriodMap | null} map
 */

/** @typedef {[string, string][]} PlotPoints generations and values */

/**
 * @typedef {object} PlotCurve
 * @property {string} name of what it shows
 * @property {[number, number][]} places parts of the width, and of the height from below
 * @property {PlotPoints} values
 */

/**
 * @typedef {object} PlotDrawing curves on common axes; ticks are parts of a side, and labels
 * @property {PlotCurve[]} curves
 * @property {[number, string][]} across
 * @property {string} across_title
 * @property {[number, string][]} up
 * @property {string} up_title
 */

/**
 * @typedef {object} PlotMessage
 * @property {PlotPoints} points the population
 * @property {PlotDrawing} [drawing]
 */

export {};
