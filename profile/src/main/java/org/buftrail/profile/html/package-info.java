/** Profiles and flows as one self-contained page for a browser. */
package org.buftrail.profile.html;
