/** What a thread of a pool imports before its first task: the plug-ins of the process that started it. */

import { loadInheritedPlugins } from "../plugin.ts";

await loadInheritedPlugins();
