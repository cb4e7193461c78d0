/** Pictures and videos as the commands read, write and measure them. */
package org.gstqpu.pipelines.media;
