/** What the commands share: exit statuses, child processes, tables, options. */
package org.gstqpu.pipelines.cli;
