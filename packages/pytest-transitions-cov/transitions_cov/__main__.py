"""`python -m transitions_cov`"""

from transitions_cov.command import main

main()
