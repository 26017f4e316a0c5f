/** What a program does that uses the library. */
module consumer {
  requires org.buftrail.convert;
}
