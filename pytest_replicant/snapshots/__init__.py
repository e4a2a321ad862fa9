"""One screen: from the bytes that a phone prints to elements with refs, and what can be asked of them.

Told in this order: no file imports one of a later part, and ``showing`` is known to neither of the next two.

text      words · masking · lasting
reading   roles · reading · detect · mending · uiautomator · xcui_tree · xcuitest · wda_json · hierarchy
layout    scrolling · windows · overlays · covering · chrome · layout
labels    values · captions · reading_order · rows · repeats · labels · titles · loading
identity  digest · refs · surroundings · frame · keys · resemblance · locate · memory · elements
showing   lines · cutting · outline · pairing · diff · export
finding   grammar · place · relations · select
advising  narrowing · distinction · near_miss · lookup · candidates · durable
all       snapshot

text: as it is compared, without what ticks in it, and whether it will be the same tomorrow.
reading: from bytes to nodes, whatever printed them, and what their classes are for; ``hierarchy`` chooses the
parser.
layout: from nodes to what can be seen and reached on the screen.
labels: what everything is called and holds, and which row it is in.
identity: from labels to elements with refs, which screen this is, and where an element of an earlier one is now.
showing: the outline, the diff, and JSON.
finding: what fits a selector.
advising: what a failed lookup says, and a selector to write down in place of a ref.
"""
