/** What programs that make or read a dataset of many recordings know alike. */
package org.buftrail.jfr.dataset;
